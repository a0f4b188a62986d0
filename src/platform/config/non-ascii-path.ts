import { setFlagsFromString } from 'node:v8';

// nodejs/node#58586: on some versions of Node 22 to 24 a program whose path has a letter such as é stops finding its modules once V8 has
// compiled the function that looks for them. Without this kind of call it goes on finding them.
if (/[^\0-\x7f]/.test(__dirname) && Number(process.versions.node.split('.')[0]) >= 22) {
  setFlagsFromString('--no-turbo-fast-api-calls');
}
