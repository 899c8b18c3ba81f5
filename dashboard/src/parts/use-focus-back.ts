import { useEffect } from 'react'

/** Mantine's dialogs keep the focus until then. */
const until_closed_ms = 10

/** A button that waits for an answer is disabled, and loses the focus before the answer opens a dialog. */
let last_focused: EventTarget | null = null
document.addEventListener('focusin', ({ target }) => {
  last_focused = target
})

/**
 * Gives the focus back to what opened a dialog, or to the page where that is gone. Mantine does so only for a dialog that
 * was drawn before it opened: from one that is drawn while it is open, the focus would fall to the beginning of the
 * document.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const opener = document.activeElement === document.body ? last_focused : document.activeElement
    return () => {
      const at_close = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        const content = document.getElementById('content')
        // Where the dialog led to another page, the focus is at its beginning already.
        if (now !== null && now !== document.body && (now !== at_close || now === content)) return
        const to = opener instanceof HTMLElement && opener.isConnected ? opener : content
        to?.focus({ preventScroll: true })
      }, until_closed_ms)
    }
  }, [opened])
}
