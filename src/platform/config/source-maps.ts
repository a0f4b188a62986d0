import './non-ascii-path';

// Must be imported first: files loaded earlier keep the positions of the compiled code in stack traces.
process.setSourceMapsEnabled(true);
