// Makes a component of React of an element. Must not live here: elements.

import { createElement, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { defined } from '../elements/common/base.js'

/** React warns of effects on a server, where nothing is drawn anyway. */
const useEffectInPage = globalThis.document ? useLayoutEffect : () => {}

/**
 * A component of an element, which is named when the component is first drawn, so that a bundler drops the elements that a page has not. What the
 * element has as a property is set as one; `onRule` and the like listen to its events; everything else is React's.
 */
export function component(name, Class, events) {
  return function Component({ ref, children, ...props }) {
    const own = useRef(null)
    const { properties } = defined(name, Class)
    const entries = Object.entries(props)
    useImperativeHandle(ref, () => own.current)
    useEffectInPage(() => {
      for (const key of Object.keys(properties)) own.current[key] = props[key]
    })
    const heard = useRef(props)
    heard.current = props
    useEffectInPage(() => {
      const ends = Object.entries(events).map(([prop, type]) => {
        const listener = (event) => heard.current[prop]?.(event)
        own.current.addEventListener(type, listener)
        return () => own.current?.removeEventListener(type, listener)
      })
      return () => ends.forEach((end) => end())
    }, [])
    return createElement(name, { ...Object.fromEntries(entries.filter(([key]) => !(key in properties) && !(key in events))), ref: own }, children)
  }
}

/** The events of every element. */
export const COMMON = { onAnswer: 'answer', onFault: 'fault', onRule: 'rule' }
