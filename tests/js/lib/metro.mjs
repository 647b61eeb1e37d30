// One bundle of an app by Metro, set up as React Native sets it up, for a phone or for a page. Must not live here: the apps, what is asserted.

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import reactNative from '@react-native/metro-config'
import Metro from 'metro'

/** Metro reads its own runtime as a file of the app, and only from folders that it was told of. */
const RUNTIME = dirname(fileURLToPath(import.meta.resolve('metro-runtime/package.json')))

/** The program as text. Left out is what React Native itself and its runtime for Babel would bring, which nothing here installs. */
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
