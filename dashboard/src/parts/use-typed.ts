import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'

type Field = HTMLInputElement | HTMLTextAreaElement

/** Choices are made again in a moment, and nobody keeps a password. */
const untyped = new Set(['password', 'checkbox', 'radio', 'button', 'submit', 'file'])

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !untyped.has(target.type))

interface Typed {
  /** For the element. */
  readonly watch: {
    readonly ref: RefObject<HTMLDivElement | null>
    readonly onFocus: (event: FocusEvent) => void
    readonly onInput: () => void
  }
  /** As of the last drawing. */
  readonly changed: boolean
  /** Now. */
  readonly isChanged: () => boolean
  /** Whether another dialog has the focus, and a key was meant for that one. */
  readonly isCovered: () => boolean
}

/** Tells whether a field in an element has another text than when it first got the focus. A field that is gone does not count. */
export function useTyped(opened: boolean): Typed {
  const ref = useRef<HTMLDivElement>(null)
  const begun = useRef(new Map<Field, string>())
  const [changed, setChanged] = useState(false)
  const isChanged = () => [...begun.current].some(([field, text]) => field.isConnected && field.value !== text)
  useEffect(() => {
    if (!opened) begun.current.clear()
    // What was typed may have gone with its field, where an answer replaces the form.
    setChanged(isChanged())
  })
  return {
    watch: {
      ref,
      onFocus({ target }) {
        if (isField(target) && !begun.current.has(target)) begun.current.set(target, target.value)
      },
      onInput: () => setChanged(isChanged()),
    },
    changed,
    isChanged,
    isCovered() {
      const covering = document.activeElement?.closest('[role=dialog]')
      return covering != null && ref.current?.contains(covering) === false
    },
  }
}
