// Starts the app. Must not live here: what it shows (`Change.vue`).

import { createApp } from 'vue'
import Change from './Change.vue'

createApp(Change).mount('#app')
