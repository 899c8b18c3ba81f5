import { useLocation, useMatch, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

export interface PageState {
  /** What the browser keeps beside the URL of this page. */
  readonly state: object
  /** Whether the reader is on the way to another page. */
  readonly isLeft: () => boolean
}

const trimmed = (pathname: string): string => pathname.replace(/\/+$/, '')

/** The state of the page that is shown. The router tells of the next one as soon as that begins to load. */
export function usePageState(): PageState {
  const router = useRouter()
  const page = useMatch({ strict: false, select: ({ pathname }) => trimmed(pathname) })
  const { pathname, state } = useLocation()
  const [shown, setShown] = useState<object>(state)
  const isHere = trimmed(pathname) === page
  if (isHere && shown !== state) setShown(state)
  return { state: isHere ? state : shown, isLeft: () => trimmed(router.latestLocation.pathname) !== page }
}
