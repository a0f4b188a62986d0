// node launch.cjs <settings as JSON>: the killable service, from source.
require('../../../prisma/engine/load-typescript.cjs');
require('./killable-service.ts');
