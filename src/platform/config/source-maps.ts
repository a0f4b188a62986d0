import './non-ascii-path';
import { readSourceMapsLazily } from './stack-positions';

// Must be imported first: the stack of an error that was made earlier keeps the positions of the compiled code.
readSourceMapsLazily();
