import { Alert, Button, Progress, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef } from 'react'
import { addDays, parseDay } from '../../../../src/domain/day.ts'
import { send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { ask, askForList } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useProgram } from '../../app/program.ts'
import { Card } from '../../parts/card.tsx'
import { startOf } from '../../parts/chart-figures.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ChooseDay } from './choose-day.tsx'
import { type Report, report_path } from './liability.ts'

const ReportBody = later(() => import('./report.tsx'), 'ReportBody')

const reportsPath = '/programs/{programId}/liability'

/** What a program owes its customers at the end of a day. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['on'] as const)
  const reports = useQuery(askForList(reportsPath, { params: { path: { programId }, query: { limit: '24' } } }))
  // Another day may be chosen while the service answers.
  const asked = useRef<string>(undefined)
  const make = useSubmit<string>({
    send(day) {
      asked.current = day
      return send('put', report_path, { params: { path: { programId, day } }, body: {} })
    },
    done: (_report, day) => asked.current === day && filters.set({ on: day }),
    stale: [reportsPath, report_path],
  })
  const choose = (on: string) => {
    asked.current = undefined
    filters.set({ on })
  }
  const stored = reports.data?.rows.map(({ day }) => day) ?? []
  const today = parseDay(String(reports.data?.beside['today']))
  // A link that was written by hand may name a day that does not exist.
  const { on } = filters.values
  const day = on !== undefined && parseDay(on) !== null ? on : stored[0]
  return (
    <>
      <PageHeader
        title={t('liability.name')}
        lead={t('liability.lead')}
        actions={
          day === undefined ? undefined : <DownloadButton path={`/programs/${programId}/liability/${day}/months.csv`} />
        }
      />
      {make.error === undefined ? null : (
        <Alert color="red" variant="light" icon={<Icon name="alert" />} mb="lg">
          {make.fieldError('day') ?? make.error}
        </Alert>
      )}
      {today === null ? (
        <PageSkeleton />
      ) : (
        <Stack gap="lg">
          <ChooseDay day={day} today={today} stored={stored} choose={choose} make={make} />
          {day === undefined ? (
            <NothingYet make={make} yesterday={addDays(today, -1)} />
          ) : (
            <OfDay key={day} programId={programId} day={day} make={make} />
          )}
        </Stack>
      )}
    </>
  )
}

function NothingYet({ make, yesterday }: { make: Submit<string>; yesterday: string }) {
  const { t } = useTexts()
  return (
    <EmptyState
      panel
      icon="liability"
      title={t('liability.empty')}
      lesson={t('liability.empty_lesson')}
      action={
        <Button onClick={() => make.submit(yesterday)} loading={make.pending}>
          {t('liability.make_yesterday')}
        </Button>
      }
    />
  )
}

function OfDay({ programId, day, make }: { programId: number; day: string; make: Submit<string> }) {
  const { t, format } = useTexts()
  const { data, error } = useQuery({
    ...ask(report_path, { params: { path: { programId, day } } }),
    // A day that nobody has asked for is no failure of the page.
    throwOnError: (failure) => !(failure instanceof ApiFailure && failure.status === 404),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? 1_000 : false),
  })
  if (data === undefined)
    return error === null ? (
      <PageSkeleton />
    ) : (
      <EmptyState
        panel
        icon="liability"
        title={t('liability.missing', { day: format.date(startOf(day)) })}
        lesson={t('liability.missing_lesson')}
        action={
          <Button onClick={() => make.submit(day)} loading={make.pending}>
            {t('liability.make')}
          </Button>
        }
      />
    )
  if (isUnderWay(data)) return <UnderWay report={data} />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <ReportBody report={data} make={make} />
    </Suspense>
  )
}

function isUnderWay({ state }: Report): boolean {
  return state === 'waiting' || state === 'making'
}

function UnderWay({ report: { state, progress } }: { report: Report }) {
  const { t, format } = useTexts()
  const done = t('liability.progress', { percent: format.percent(progress) })
  return (
    <Card title={t(state === 'waiting' ? 'liability.waiting' : 'liability.making')} lead={t('liability.making_lesson')}>
      <Stack gap="xs">
        <Progress.Root size="lg">
          <Progress.Section value={progress * 100} aria-label={t('liability.making')} />
        </Progress.Root>
        <span role="status">{done}</span>
      </Stack>
    </Card>
  )
}
