// Which files are tests. Must not live here: tests.

module.exports = { testMatch: ['**/*.test.cjs'] }
