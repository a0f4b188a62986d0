import { setFlagsFromString } from 'node:v8';

// Workaround for nodejs/node#58586. Some versions of Node 22 to 24 no longer find modules below a path with a letter
// such as é, once V8 has compiled the function that looks for them. This call prevents that.
if (/[^\0-\x7f]/.test(__dirname) && Number(process.versions.node.split('.')[0]) >= 22) {
  setFlagsFromString('--no-turbo-fast-api-calls');
}
