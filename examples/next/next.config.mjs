// The build: nothing for the package. Must not live here: anything that a route can say itself.

export default { cacheComponents: true }
