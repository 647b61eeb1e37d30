// The list of devices. Must not live here: where they come from.

const names = (await window.tailnet.devices()).map(({ name }) => name)
document.querySelector('ul').append(...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })))
