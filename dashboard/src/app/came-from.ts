import type { RouterHistory } from '@tanstack/react-router'

/** The paths of this visit, by their places in the history. */
const paths = new Map<number, string>()

const note = ({ location }: Pick<RouterHistory, 'location'>): void =>
  void paths.set(location.state.__TSR_index, location.pathname)

/** Remembers the pages that are opened from now on. */
export function watchHistory(history: RouterHistory): void {
  note(history)
  history.subscribe(note)
}

/** Whether the page before this one in the history has a path: going back shows it as it was left. */
export function cameFrom({ location }: RouterHistory, path: string): boolean {
  return paths.get(location.state.__TSR_index - 1) === path
}
