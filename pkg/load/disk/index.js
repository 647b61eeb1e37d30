// The entry `tailnet-kit` of this runtime. Must not live here: anything but starting and re-exporting.

import './start.js'
export * from '../../src/index.js'
