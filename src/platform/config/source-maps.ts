import './non-ascii-path';

// Imported before everything else, because the files loaded before it keep the positions of the compiled code in stack traces.
process.setSourceMapsEnabled(true);
