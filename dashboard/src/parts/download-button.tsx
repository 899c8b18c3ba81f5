import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api_prefix, readFile } from '../api/client.ts'
import { stringifySearch } from '../app/search.ts'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'
import { notifyFailure } from './notify.tsx'

/** A CSV of what the list shows, filters included. The browser saves it while the service still makes it. */
export function DownloadButton({
  path,
  query = {},
  unlisted = false,
}: {
  /** Below the API: `/merchants/12/orders.csv`. */
  path: string
  query?: Readonly<Record<string, string | undefined>>
  /** Keeps the query out of the browser's list of downloads: the page reads the file whole before it is saved. */
  unlisted?: boolean
}) {
  const { t } = useTexts()
  const read = useMutation({
    mutationFn: () => readFile(`${path}${stringifySearch(query)}`),
    onSuccess: save,
    onError: (error) => notifyFailure(error, t),
  })
  const look = { variant: 'default', leftSection: <Icon name="download" size={18} /> } as const
  if (unlisted)
    return (
      <Button {...look} loading={read.isPending} onClick={() => read.mutate()}>
        {t('common.download')}
      </Button>
    )
  return (
    <Button {...look} component="a" href={`${api_prefix}${path}${stringifySearch(query)}`} download>
      {t('common.download')}
    </Button>
  )
}

function save({ name, content }: Awaited<ReturnType<typeof readFile>>): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
