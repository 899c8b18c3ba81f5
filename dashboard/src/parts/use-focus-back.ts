import { useEffect } from 'react'

/** Mantine's dialogs keep the focus until then. */
const until_closed_ms = 10

const focus = (target: unknown) => target instanceof HTMLElement && target.focus({ preventScroll: true })

/** A button that waits for an answer is disabled, and loses the focus before the answer opens a dialog. */
let last_focused: EventTarget | null = null
document.addEventListener('focusin', ({ target }) => {
  last_focused = target
})

// When it waits no more, it gets the focus back, unless the reader has moved on.
new MutationObserver((changes) => {
  if (document.activeElement === document.body)
    for (const { target } of changes) if (target === last_focused) focus(target)
}).observe(document, { attributeFilter: ['disabled'], subtree: true })

/** Gives the focus to the page, where it fell to the beginning of the document because what had it is gone. */
export function focusPage(): void {
  if (document.activeElement === document.body) focus(document.getElementById('content'))
}

/**
 * Gives the focus back to what opened a dialog, or to the page where that is gone. Mantine does so only for a dialog that
 * was drawn before it opened: from one that is drawn while it is open, the focus would fall to the beginning of the
 * document.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => {
    // Where an answer replaces the form, the button that had the focus is gone.
    const isLost = opened && document.activeElement === document.body
    if (isLost && last_focused instanceof Node && !last_focused.isConnected)
      focus([...document.querySelectorAll('[role=dialog]')].at(-1))
  })
  useEffect(() => {
    if (!opened) return
    const opener = document.activeElement === document.body ? last_focused : document.activeElement
    return () => {
      const at_close = document.activeElement
      // What is closing does not get it back.
      last_focused = null
      setTimeout(() => {
        const now = document.activeElement
        const content = document.getElementById('content')
        // Where the dialog led to another page, the focus is at its beginning already.
        if (now !== null && now !== document.body && (now !== at_close || now === content)) return
        focus(opener)
        // What is gone, or may not be pressed now, takes no focus.
        if (document.activeElement !== opener) focus(content)
      }, until_closed_ms)
    }
  }, [opened])
}
