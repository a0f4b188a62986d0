export { MalformedReport } from '../malformed-report';
/** By the way that every report takes: its root says that it is JUnit. */
export { readReport as readJUnit } from '../read-report';
