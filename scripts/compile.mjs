// node scripts/compile.mjs: makes dist from src.
import { compileAll } from './compiler.mjs';

console.error('Compiling src with swc …');
await compileAll();
