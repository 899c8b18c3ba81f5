import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { cameFrom } from '../app/came-from.ts'
import { asLinkSearch, type Search } from '../app/search.ts'
import { Icon } from './icon.tsx'

/** The URL of a page of the open merchant, for `<Link to>`: `merchantPath('12', 'orders')`. */
export function merchantPath(merchantId: string, path: string): string {
  return path === '' ? `/m/${merchantId}/` : `/m/${merchantId}/${path}`
}

/** The URL of a page of a program. */
export function programPath(programId: string, path: string): string {
  return path === '' ? `/p/${programId}/` : `/p/${programId}/${path}`
}

/** The URL of a page about the whole service. */
export function operatorPath(path: string): string {
  return `/operator/${path}`
}

/** Gives paths of the open merchant's or program's pages: `const path = usePath()`, `navigate({ to: path('orders') })`. */
export function usePath(): (path: string) => string {
  const { merchantId, programId } = useParams({ strict: false })
  if (programId !== undefined) return (path) => programPath(programId, path)
  return merchantId === undefined ? operatorPath : (path) => merchantPath(merchantId, path)
}

interface Target {
  /** Below the open merchant or program: `orders/0198…`. */
  readonly to: string
  readonly search?: Search
  readonly children: ReactNode
}

/** A link to a page of the open merchant or program. */
export function PageLink({ to, search = {}, children }: Target) {
  const path = usePath()
  return (
    <Anchor component={Link} to={path(to)} search={asLinkSearch(search)} underline="always">
      {children}
    </Anchor>
  )
}

/** The same as a button. */
export function PageButton({ to, search = {}, children, ...look }: Target & ButtonProps) {
  const path = usePath()
  return (
    <Button component={Link} to={path(to)} search={asLinkSearch(search)} {...look}>
      {children}
    </Button>
  )
}

/** The link above a heading, to the page above. */
export function BackLink({ to, search = {}, children }: Target) {
  const path = usePath()
  return (
    <Back to={path(to)} search={search}>
      {children}
    </Back>
  )
}

/** The link above the heading of a page that belongs to no merchant, back to where the reader works. */
export function HomeLink({ children }: { children: ReactNode }) {
  return (
    <Back to="/" search={{}}>
      {children}
    </Back>
  )
}

/** Where the reader came from there, it goes back: the list has its filters, its page and its place. */
function Back({ to, search, children }: Required<Target>) {
  const { history } = useRouter()
  const goBack = (event: MouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget } = event
    // Otherwise it opens a tab.
    const isPlain = button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
    if (!isPlain || currentTarget.search !== '' || !cameFrom(history, currentTarget.pathname)) return
    event.preventDefault()
    history.back()
  }
  return (
    <Anchor
      component={Link}
      to={to}
      search={asLinkSearch(search)}
      onClick={goBack}
      size="sm"
      c="dimmed"
      inline
      style={{ display: 'inline-flex', alignItems: 'center', gap: '0.25rem' }}
    >
      <Icon name="back" size={18} />
      <span>{children}</span>
    </Anchor>
  )
}
