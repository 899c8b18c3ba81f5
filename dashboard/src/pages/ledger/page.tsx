import { Alert, Button, Progress, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { FormError } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { TextKey } from '../../texts/catalogue.ts'
import { useTexts } from '../../texts/texts.tsx'
import { History } from './history.tsx'
import classes from './ledger.module.css'
import { type Run, runs_path } from './run.ts'

/** While a run is under way its progress is asked for this often; while it waits for somebody else, more rarely. */
const refresh_ms = 1_500

const isOpen = (run: Run | undefined): run is Run => run !== undefined && run.ended_at === null

/** Verifies the ledger of a program when asked, and shows how far it is and what it found. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const { data } = useQuery({
    ...ask(runs_path, { params: { path: { programId } } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOpen(state.data?.runs[0]) || state.data?.other === true ? refresh_ms : false),
  })
  const begin = useSubmit({
    send: (_: undefined, headers) => send('post', runs_path, { params: { path: { programId } }, headers } as never),
    stale: [runs_path],
  })
  if (data === undefined) return <PageSkeleton />
  const [last] = data.runs
  const open = isOpen(last)
  return (
    <>
      <PageHeader
        title={t('ledger.name')}
        lead={t('ledger.lead')}
        actions={
          <Button
            leftSection={<Icon name="shield" size={18} />}
            disabled={open || data.other}
            loading={begin.pending}
            onClick={() => begin.submit(undefined)}
          >
            {t('ledger.verify')}
          </Button>
        }
      />
      <Stack gap="lg">
        <FormError of={begin} />
        {data.other ? (
          <Alert variant="light" icon={<Icon name="clock" />}>
            {t('ledger.other')}
          </Alert>
        ) : null}
        {last === undefined ? (
          <Card title={t('ledger.never')}>{t('ledger.never_lesson')}</Card>
        ) : open ? (
          <UnderWay run={last} />
        ) : (
          <Result run={last} />
        )}
        {data.runs.length > 1 ? <History runs={data.runs.slice(1)} /> : null}
      </Stack>
    </>
  )
}

function UnderWay({ run }: { run: Run }) {
  const { t, format } = useTexts()
  const { programId } = useProgram()
  const [asked, setAsked] = useState(false)
  const runUuid = run.run_uuid
  const cancel = useSubmit({
    send: () => send('delete', `${runs_path}/{runUuid}`, { params: { path: { programId, runUuid } } }),
    done: () => setAsked(false),
    stale: [runs_path],
  })
  const share = shareOf(run)
  const steps = ['transfers', 'wallets', 'orders', 'refunds', 'rules'] as const
  const step = steps.find((one) => one === run.step)
  return (
    <Card
      title={t(run.state === 'waiting' ? 'ledger.waiting' : 'ledger.running')}
      lead={t(run.state === 'waiting' ? 'ledger.waiting_lead' : 'ledger.running_lead')}
      actions={
        <Button variant="default" disabled={run.cancelled_by !== null} onClick={() => setAsked(true)}>
          {t(run.cancelled_by === null ? 'ledger.cancel' : 'ledger.cancelling')}
        </Button>
      }
    >
      <Stack gap="sm">
        <Progress
          value={share === null ? 100 : share * 100}
          striped={share === null}
          animated={share === null}
          size="lg"
          aria-label={t('ledger.progress')}
        />
        <div className={classes.line} role="status">
          <span>{step === undefined ? t('ledger.step_begin') : t(`ledger.step_${step}`)}</span>
          <span>
            {run.expected_entries === null
              ? t('ledger.entries', { count: run.entries, number: format.number(run.entries) })
              : t('ledger.entries_of', { number: run.entries, all: Math.max(run.entries, run.expected_entries) })}
          </span>
        </div>
        <Counts run={run} />
      </Stack>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t('ledger.cancel_title')}
        label={t('ledger.cancel')}
        of={cancel}
        onConfirm={() => cancel.submit()}
      >
        {t('ledger.cancel_lead')}
      </ConfirmDialog>
    </Card>
  )
}

/** The entries are the larger part of the work; null while nobody knows how many there are. */
function shareOf({ entries, expected_entries, step, state }: Run): number | null {
  if (state === 'waiting') return 0
  if (expected_entries === null || expected_entries === 0) return null
  const later = { wallets: 0.6, orders: 0.75, refunds: 0.85, rules: 0.9 }[step ?? '']
  return later ?? Math.min(1, entries / expected_entries) * 0.6
}

function Counts({ run }: { run: Run }) {
  const { t } = useTexts()
  return (
    <Facts
      rows={[
        { label: t('ledger.transfers'), value: <Figure value={run.transfers} /> },
        { label: t('ledger.entries_checked'), value: <Figure value={run.entries} /> },
        { label: t('ledger.wallets'), value: <Figure value={run.wallets} /> },
        { label: t('ledger.asked_by'), value: <bdi>{run.asked_by}</bdi> },
      ]}
    />
  )
}

function resultText({ state, differences }: Run): TextKey {
  if (state === 'done') return differences === 0 ? 'ledger.result_right' : 'ledger.result_wrong'
  return state === 'cancelled' ? 'ledger.result_cancelled' : 'ledger.result_failed'
}

function Result({ run }: { run: Run }) {
  const { t } = useTexts()
  const { differences, shown, error } = run
  const whole = differences === 0
  return (
    <Card
      title={t(resultText(run), { count: differences ?? 0, number: differences ?? 0 })}
      lead={run.ended_at === null ? undefined : <Time at={run.ended_at} />}
    >
      <Stack>
        {run.state !== 'done' ? null : (
          <Alert variant="light" color={whole ? 'brand' : 'red'} icon={<Icon name={whole ? 'shield' : 'alert'} />}>
            {t(whole ? 'ledger.right_lead' : 'ledger.wrong_lead')}
          </Alert>
        )}
        {error === null ? null : <code dir="ltr">{error}</code>}
        {shown.length === 0 ? null : (
          <ul className={classes.differences}>
            {shown.map(({ check, id, detail }) => (
              <li key={`${check} ${id} ${detail}`} dir="ltr">
                <code>{check}</code> <code className={classes.id}>{id}</code>
                <span>{detail}</span>
              </li>
            ))}
          </ul>
        )}
        {differences !== null && differences > shown.length ? (
          <p>{t('ledger.more', { number: differences - shown.length })}</p>
        ) : null}
        <Counts run={run} />
      </Stack>
    </Card>
  )
}
