// The guide for Electron, which no package registry holds whole. Must not live here: the guides that are run.

export default async () => ({ notRun: 'Electron is not here: docs/guides/electron.md and its example' })
