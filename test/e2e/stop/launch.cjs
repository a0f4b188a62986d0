// node launch.cjs: the service itself, as `npm start` runs it, from source.
require('../../../prisma/engine/load-typescript.cjs');
require('../../../src/main.ts');
