import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { failureText } from '../parts/failure-text.ts'
import { Icon } from '../parts/icon.tsx'
import { useFocusBack } from '../parts/use-focus-back.ts'
import { useTexts } from '../texts/texts.tsx'
import type { Area } from './area.ts'
import type { Found } from './search-source.ts'
import { palette_field } from './typed-ahead.ts'
import { useFound } from './use-found.ts'

const [store, palette] = createSpotlight()

/** Finds pages, and orders and customers of a merchant or merchants of a program. It opens whenever it is `asked` once more. */
export function Palette({
  area,
  asked: times,
  query,
  onQuery: setQuery,
}: {
  area: Area
  asked: number
  query: string
  onQuery: (query: string) => void
}) {
  const { t, format } = useTexts()
  const { opened } = useSpotlight(store)
  useFocusBack(opened)
  useEffect(() => {
    if (times > 0) palette.open()
  }, [times])
  const navigate = useNavigate()
  const [asked] = useDebouncedValue(query.trim(), 180)
  const pages = area.pages
    .map(({ to, name, icon }): Found => ({ id: `page ${to}`, icon, title: t(name), to }))
    .filter(({ title }) => title.toLowerCase().includes(query.trim().toLowerCase()))
  const { data, isFetching, error } = useFound(asked)
  const groups = [...(asked === '' ? [] : (data ?? [])), { title: 'frame.search_pages', rows: pages } as const].filter(
    ({ rows }) => rows.length > 0,
  )
  const of = area.kind === 'merchant' ? 'merchant' : 'program'
  const isLooking = isFetching || asked !== query.trim()
  const first = groups[0]?.rows[0]
  // Enter that comes before the answer opens what the answer finds, unless the reader goes on typing.
  const [entered, setEntered] = useState<string>()
  const openFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || store.getState().selected >= 0) return
    setEntered(query)
  }
  useEffect(() => {
    if (!opened || entered !== query || query.trim() === '' || isLooking) return
    setEntered(undefined)
    if (first === undefined) return
    palette.close()
    void navigate({ to: first.to })
  }, [opened, entered, query, isLooking, first, navigate])
  const nothing = isLooking ? t('frame.search_running') : t(`frame.search_nothing_${of}`)
  const failed = isLooking || error === null ? undefined : failureText(error, t)
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(changed) => {
        setEntered(undefined)
        setQuery(changed)
      }}
      shortcut={null}
      returnFocus={false}
      scrollable
      maxHeight="min(28rem, 60dvh)"
      radius="md"
    >
      <Spotlight.Search
        placeholder={t(`frame.search_hint_${of}`)}
        aria-label={t(`frame.search_hint_${of}`)}
        leftSection={<Icon name="search" />}
        {...{ [palette_field]: true }}
        onKeyDown={openFirst}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, rows }) => (
          <Spotlight.ActionsGroup key={title} label={t(title)}>
            {rows.map(({ id, icon, title, detail, made_at, to }) => (
              <Spotlight.Action
                key={id}
                label={title}
                {...(detail === undefined
                  ? {}
                  : { description: made_at === undefined ? detail : `${detail} · ${format.date(made_at)}` })}
                leftSection={<Icon name={icon} />}
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 || failed !== undefined ? <Spotlight.Empty>{failed ?? nothing}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
