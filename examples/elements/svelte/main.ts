// Starts the app. Must not live here: what it shows (`Change.svelte`).

import { mount } from 'svelte'
import Change from './Change.svelte'

mount(Change, { target: document.getElementById('app')! })
