import { NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { type DataOf, send } from '../../api/client.ts'
import { useProgram } from '../../app/program.ts'
import { Card } from '../../parts/card.tsx'
import { EditForm } from '../../parts/edit-form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { type Edit, useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/programs/{programId}/settings'
type Settings = DataOf<typeof path, 'get'>
type Values = Omit<Settings, 'version' | 'name'>

function valuesOf({ version: _, name: __, ...values }: Settings): Values {
  return values
}

/** The rules of a program. What weakens the rule of two people waits for a second person. */
export function SettingsForm({ saved }: { saved: Settings }) {
  const { t } = useTexts()
  const { programId } = useProgram()
  const draft = useDraft(saved, valuesOf)
  const { values, set } = draft
  const save = useSubmit({
    send: ({ version, values }: Edit<Values>) =>
      send('patch', path, { params: { path: { programId } }, body: { version, ...bodyOf(values) } }),
    done({ proposals, ...now }, sent) {
      notifyDone(t(proposals.length > 0 ? 'program-settings.waits' : 'common.saved'))
      draft.settle(now, sent.values)
    },
    stale: [path, '/programs/{programId}/proposals'],
  })
  return (
    <EditForm
      of={save}
      draft={draft}
      may_change
      fields={[
        ...(['activation', 'locale', 'operator_name', 'operator_contact', 'remembered_limit'] as const).map((name) => ({
          name,
          label: t(`program-settings.${name}`),
        })),
        { name: 'fees', label: t('program-settings.fees'), show: (fees) => <Plain of={fees} /> },
        { name: 'two_person', label: t('program-settings.two_person'), show: (rule) => <Plain of={rule} /> },
      ]}
    >
      <Rules values={values} set={set} error={save.fieldError} />
      <Fees values={values} set={set} error={save.fieldError} />
      <TwoPeople values={values} set={set} error={save.fieldError} />
    </EditForm>
  )
}

/** What is not sent is removed. */
function bodyOf({ operator_name, operator_contact, two_person, ...rest }: Values) {
  const { adjustments_over, ...switches } = two_person
  return {
    ...rest,
    ...(operator_name ? { operator_name } : {}),
    ...(operator_contact ? { operator_contact } : {}),
    two_person: { ...switches, ...(adjustments_over === null ? {} : { adjustments_over }) },
  }
}

function Plain({ of }: { of: unknown }) {
  return <bdi dir="ltr">{Object.values(of as object).join(' · ')}</bdi>
}

interface Part {
  readonly values: Values
  readonly set: (changes: Partial<Values>) => void
  readonly error: (name: string) => string | undefined
}

function Rules({ values, set, error }: Part) {
  const { t } = useTexts()
  return (
    <Card title={t('program-settings.rules')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label={t('program-settings.activation')}
          description={t('program-settings.activation_hint')}
          value={values.activation}
          data={(['automatic', 'required'] as const).map((value) => ({
            value,
            label: t(`program-settings.activation_${value}`),
          }))}
          onChange={(event) => set({ activation: event.currentTarget.value as Values['activation'] })}
        />
        <NativeSelect
          label={t('program-settings.locale')}
          description={t('program-settings.locale_hint')}
          value={values.locale}
          data={[
            { value: 'ar', label: 'العربية' },
            { value: 'en', label: 'English' },
          ]}
          onChange={(event) => set({ locale: event.currentTarget.value as Values['locale'] })}
        />
        {(['operator_name', 'operator_contact'] as const).map((name) => (
          <TextInput
            key={name}
            label={t(`program-settings.${name}`)}
            description={t(`program-settings.${name}_hint`)}
            maxLength={200}
            dir="auto"
            value={values[name] ?? ''}
            error={error(name)}
            onChange={(event) => set({ [name]: event.currentTarget.value || null })}
          />
        ))}
        <NumberField
          label={t('program-settings.remembered_limit')}
          description={t('program-settings.remembered_limit_hint')}
          most={1_000_000_000}
          value={values.remembered_limit}
          error={error('remembered_limit')}
          onChange={(remembered_limit) => set({ remembered_limit })}
        />
      </SimpleGrid>
    </Card>
  )
}

function Fees({ values: { fees }, set, error }: Part) {
  const { t } = useTexts()
  return (
    <Card title={t('program-settings.fees')} lead={t('program-settings.fees_lead')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        {(['earn', 'redeem', 'vat'] as const).map((name) => (
          <NumberField
            key={name}
            label={t(`program-settings.fee_${name}`)}
            places={2}
            most={100}
            unit="%"
            value={fees[name]}
            error={error(`fees.${name}`)}
            onChange={(percent) => set({ fees: { ...fees, [name]: percent } })}
          />
        ))}
      </SimpleGrid>
    </Card>
  )
}

/** The number that the field begins with when adjustments need two people for the first time. */
const usual_limit = 5_000

function TwoPeople({ values: { two_person }, set, error }: Part) {
  const { t } = useTexts()
  const { adjustments_over } = two_person
  const setRule = (changes: Partial<Values['two_person']>) => set({ two_person: { ...two_person, ...changes } })
  return (
    <Card title={t('program-settings.two_person')} lead={t('program-settings.two_person_lead')}>
      <Stack gap="lg">
        {(['rates', 'settlements'] as const).map((name) => (
          <Switch
            key={name}
            label={t(`program-settings.two_person_${name}`)}
            checked={two_person[name]}
            onChange={(event) => setRule({ [name]: event.currentTarget.checked })}
          />
        ))}
        <Switch
          label={t('program-settings.two_person_adjustments')}
          checked={adjustments_over !== null}
          onChange={(event) => setRule({ adjustments_over: event.currentTarget.checked ? usual_limit : null })}
        />
        {adjustments_over === null ? null : (
          <NumberField
            label={t('program-settings.two_person_over')}
            most={1_000_000_000}
            maw={320}
            value={adjustments_over}
            error={error('two_person.adjustments_over')}
            onChange={(adjustments_over) => setRule({ adjustments_over })}
          />
        )}
      </Stack>
    </Card>
  )
}
