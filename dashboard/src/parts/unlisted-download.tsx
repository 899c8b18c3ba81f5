import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { readFile } from '../api/file.ts'
import { stringifySearch } from '../app/search.ts'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'
import { notifyFailure } from './notify.tsx'

/** A CSV whose query stays out of the browser's list of downloads: the page reads it whole before it is saved. */
export function UnlistedDownload({
  path,
  query,
}: {
  /** Below the API: `/merchants/12/orders.csv`. */
  path: string
  query: Readonly<Record<string, string | undefined>>
}) {
  const { t } = useTexts()
  const read = useMutation({
    mutationFn: () => readFile(`${path}${stringifySearch(query)}`),
    onSuccess: save,
    onError: (error) => notifyFailure(error, t),
  })
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={18} />}
      loading={read.isPending}
      onClick={() => read.mutate()}
    >
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
