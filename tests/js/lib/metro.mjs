// Bundles an app by Metro, set up as React Native does it, for a phone or for a page. Must not live here: the apps, what is asserted.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import reactNative from '@react-native/metro-config'
import Metro from 'metro'

/** The folder of Metro's own runtime, which Metro reads as a file of the app and must find in a listed folder. */
const RUNTIME = dirname(fileURLToPath(import.meta.resolve('metro-runtime/package.json')))

/** The program as text, without React Native and its Babel runtime, which are not installed here. */
export async function metro(dir, entry, platform) {
  const { resolver, serializer, transformer, ...defaults } = reactNative.getDefaultConfig(dir)
  const config = await Metro.loadConfig(
    { cwd: dir, projectRoot: dir, resetCache: true, maxWorkers: 1 },
    {
      ...defaults,
      cacheStores: [],
      reporter: { update() {} },
      resolver: { ...resolver, useWatchman: false },
      serializer: { ...serializer, getPolyfills: () => [], getModulesRunBeforeMainModule: () => [] },
      transformer: { ...transformer, enableBabelRuntime: false },
      watchFolders: [dir, RUNTIME],
    },
  )
  const output = { build: (server, options) => server.build({ ...options, runModule: true }), save: async () => {} }
  return (await Metro.runBuild(config, { entry, platform, dev: false, minify: false, output })).code
}
