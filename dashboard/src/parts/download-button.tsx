import { Button } from '@mantine/core'
import { api_prefix } from '../api/client.ts'
import { stringifySearch } from '../app/search.ts'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'

/** A CSV of what the list shows, filters and language included. The browser saves it while the service still makes it. */
export function DownloadButton({
  path,
  query = {},
}: {
  /** Below the API: `/merchants/12/orders.csv`. */
  path: string
  query?: Readonly<Record<string, string | undefined>>
}) {
  const { t, locale } = useTexts()
  return (
    <Button
      component="a"
      href={`${api_prefix}${path}${stringifySearch({ ...query, lang: locale })}`}
      download
      variant="default"
      leftSection={<Icon name="download" size={18} />}
    >
      {t('common.download')}
    </Button>
  )
}
