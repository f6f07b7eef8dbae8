// The native functions of crypto: whoever uses them requires this file.
'use strict';

binding.install?.('crypto', binding);
