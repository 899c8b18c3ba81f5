import { useCallback, useEffect, useMemo, useRef } from 'react'

/** Marks the search field of the palette. */
export const palette_field = 'data-palette'

/** If the field never appears, letters are kept for no longer than this. */
const most_ms = 10_000

const isField = (target: EventTarget | null): boolean => target instanceof Element && target.hasAttribute(palette_field)

/**
 * Keeps what is typed between the key that opens the palette and the moment when its field has the focus: the palette
 * may still be loading, and its field takes the focus only once it is drawn.
 */
export function useTypedAhead(change: (of: (typed: string) => string) => void) {
  const stop = useRef(() => {})
  const end = useCallback(() => stop.current(), [])
  useEffect(() => end, [end])
  const begin = useCallback(() => {
    end()
    const keeping = new AbortController()
    const listening = { capture: true, signal: AbortSignal.any([keeping.signal, AbortSignal.timeout(most_ms)]) }
    stop.current = () => keeping.abort()
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape') return keeping.abort()
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key === 'Backspace') change((typed) => typed.slice(0, -1))
      else if ([...event.key].length === 1) change((typed) => typed + event.key)
      else if (event.key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    if (isField(document.activeElement)) return
    window.addEventListener('keydown', keep, listening)
    window.addEventListener('focusin', ({ target }) => isField(target) && keeping.abort(), listening)
    window.addEventListener('pointerdown', () => keeping.abort(), listening)
  }, [change, end])
  return useMemo(() => ({ begin, end }), [begin, end])
}
