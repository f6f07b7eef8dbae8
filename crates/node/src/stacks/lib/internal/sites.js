// Lets the host find out where callbacks are attached, in runs whose trace tells it.
// Uses binding.setCapture.
'use strict';

binding.setCapture(require('internal/stack/noting').plain);
