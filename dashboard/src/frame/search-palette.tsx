import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOpenMerchant } from '../app/merchant.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { merchantPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useMerchantPages } from './navigation.tsx'
import { store } from './search-button.tsx'
import { findEverything } from './search-source.ts'

/** The palette that finds pages, orders and customers of the open merchant. Mod+K opens it. */
export function SearchPalette() {
  const merchant = useOpenMerchant()
  return merchant === undefined ? null : <MerchantPalette merchantId={merchant.merchantId} />
}

interface Found {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly detail?: string
  readonly path: string
}

function MerchantPalette({ merchantId }: { merchantId: number }) {
  const { t } = useTexts()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 180)
  const pages = useMerchantPages()
    .map(({ path, name, icon }): Found => ({ id: `page ${path}`, icon, title: t(name), path }))
    .filter(({ title }) => title.toLowerCase().includes(query.trim().toLowerCase()))
  const { data, isFetching } = useQuery(findEverything(merchantId, asked))
  const found = asked === '' ? undefined : data
  const groups = [
    { title: t('frame.search_orders'), rows: found?.orders ?? [] },
    { title: t('frame.search_customers'), rows: found?.customers ?? [] },
    { title: t('frame.search_pages'), rows: pages },
  ].filter(({ rows }) => rows.length > 0)
  const nothing = isFetching || asked !== query.trim() ? t('frame.search_running') : t('frame.search_nothing')
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      scrollable
      maxHeight="min(28rem, 60dvh)"
      radius="md"
    >
      <Spotlight.Search
        placeholder={t('frame.search_hint')}
        aria-label={t('frame.search_hint')}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, rows }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {rows.map(({ id, icon, title, detail, path }) => (
              <Spotlight.Action
                key={id}
                label={title}
                {...(detail === undefined ? {} : { description: detail })}
                leftSection={<Icon name={icon} />}
                onClick={() => void navigate({ to: merchantPath(String(merchantId), path) })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 ? <Spotlight.Empty>{nothing}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
