import { Button, Group, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { FormError } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type Run, runs_path } from './run.ts'
import { RunOutcome } from './run-outcome.tsx'
import { RunProgress } from './run-progress.tsx'

/** While a run waits or is under way, the page asks for its progress this often. */
const refresh_ms = 1_000

/** Without a day: up to now. */
const upTo = (until: string) => (until === '' ? {} : { until })

const isOpen = ({ state }: Run): boolean => state === 'waiting' || state === 'running'

/** The last previews and closes of a program. A close that ends brings its settlements into the list. */
function useRuns(programId: number): readonly Run[] {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    ...ask(runs_path, { params: { path: { programId } } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? refresh_ms : false),
  })
  const closed = data.find(({ kind, state }) => kind === 'close' && state === 'done')?.run_uuid
  useEffect(() => {
    if (closed !== undefined) void client.invalidateQueries({ queryKey: ['/programs/{programId}/settlements'] })
  }, [closed, client])
  return data
}

/** Adds up the open period on demand, since that reads every entry in it, and closes it. Both run in the background. */
export function OpenPeriod({ programId }: { programId: number }) {
  const { t } = useTexts()
  const runs = useRuns(programId)
  const [until, setUntil] = useState('')
  const [asking, setAsking] = useState(false)
  /** What was added up, and up to which day it was asked for. */
  const [seen, setSeen] = useState<{ readonly uuid: string; readonly until: string }>()
  const params = { path: { programId } }
  const preview = useSubmit({
    send: (until: string, headers) =>
      send('post', runs_path, { params, headers, body: { kind: 'preview', ...upTo(until) } }),
    stale: [runs_path],
    // Another day may be chosen while the service answers.
    done: ({ run }, until) => setSeen(run === null ? undefined : { uuid: run.run_uuid, until }),
  })
  const close = useSubmit({
    send: (until: string, headers) =>
      send('post', runs_path, { params, headers, body: { kind: 'close', ...upTo(until) } }),
    stale: [runs_path, '/programs/{programId}/proposals'],
    done({ proposal }) {
      if (proposal !== null) notifyDone(t('settlements.waits'))
      setAsking(false)
      setSeen(undefined)
    },
  })
  const open = runs.filter(isOpen)
  const added = runs.find(({ run_uuid }) => run_uuid === seen?.uuid)
  const mayClose = added?.state === 'done' && (added.result?.merchants ?? 0) > 0 && seen?.until === until
  return (
    <Card title={t('settlements.open')} lead={t('settlements.open_lead')}>
      <FormError of={preview} />
      <TextInput
        type="date"
        label={t('settlements.last_day')}
        description={t('settlements.last_day_hint')}
        value={until}
        error={preview.fieldError('until') ?? close.fieldError('until')}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        maw={320}
      />
      <Group mt="md" gap="sm">
        <Button
          variant="default"
          loading={preview.pending}
          disabled={open.some(({ kind }) => kind === 'preview')}
          onClick={() => preview.submit(until)}
        >
          {t('settlements.preview')}
        </Button>
        <Button disabled={!mayClose || open.length > 0} onClick={() => setAsking(true)}>
          {t('settlements.close')}
        </Button>
      </Group>
      {open.map((run) => (
        <RunProgress key={run.run_uuid} run={run} />
      ))}
      <RunOutcome run={open.length > 0 ? undefined : (added ?? lastClose(runs))} />
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('settlements.close_title')}
        label={t('settlements.close')}
        of={close}
        onConfirm={() => close.submit(until)}
        danger
      >
        {t('settlements.close_what')}
      </ConfirmDialog>
    </Card>
  )
}

/** The newest run, if it is a close: it says how that went. */
function lastClose([last]: readonly Run[]): Run | undefined {
  return last?.kind === 'close' ? last : undefined
}
