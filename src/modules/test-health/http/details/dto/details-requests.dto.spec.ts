import { isTicket, MAX_TICKET } from './details-requests.dto';

describe('A ticket', () => {
  it.each(['KAN-123', '#12', 'acme/widgets#12', '4711', 'https://tracker.example/browse/KAN-123?view=all'])(
    'may be %s',
    (ticket) => expect(isTicket(ticket)).toBe(true),
  );

  it.each([
    '',
    'KAN 123',
    'KAN-1\n',
    'javascript:alert(1)',
    'https://',
    'https://tracker.example/a b',
    'http://a"onclick=1',
    'ftp://tracker.example/1',
    'x'.repeat(MAX_TICKET + 1),
    7,
    null,
    undefined,
  ])('may not be %j', (ticket) => expect(isTicket(ticket)).toBe(false));
});
