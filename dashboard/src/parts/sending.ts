import { createContext, useContext, useEffect } from 'react'

/** Tells the dialog around a form whether the form is being sent. */
export const Sending = createContext<(pending: boolean) => void>(() => {})

/** Keeps the dialog around a form open while the form is sent: the answer would close whatever dialog is open by then. */
export function useSending(pending: boolean): void {
  const tell = useContext(Sending)
  useEffect(() => {
    tell(pending)
    return () => tell(false)
  }, [tell, pending])
}
