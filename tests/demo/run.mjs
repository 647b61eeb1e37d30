// The demo in real browsers, as a person would try it: `node --test tests/demo/run.mjs`.
// Needs the built package (`cargo xtask package`) and the npm packages of www, tests/js and tests/demo.
// Must not live here: a test.
import './first.mjs'
import './still.mjs'
import './changes.mjs'
import './picture.mjs'
import './policy.mjs'
import './save.mjs'
import './ways.mjs'
import './editor.mjs'
import './devices.mjs'
import './dns.mjs'
import './tailnet.mjs'
import './frame.mjs'
import './looks.mjs'
import './offline.mjs'
import './lighthouse.mjs'
import './firefox.mjs'
