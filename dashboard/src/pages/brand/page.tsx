import { ColorInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { EditForm } from '../../parts/edit-form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { type Draft, type Edit, useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './brand.module.css'
import { type Brand, brandPath } from './brand.ts'
import { LogoCard } from './logo-card.tsx'
import { Preview } from './preview.tsx'

interface Values {
  readonly name: string
  readonly name_ar: string
  readonly colour: string
}

/** Names, logos and colour of the merchant's pages, beside the page as it will look. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { data } = useQuery(ask(brandPath, { params: { path: { merchantId } } }))
  return (
    <>
      <PageHeader title={t('settings.brand')} lead={t('settings.brand_lead')} />
      {data === undefined ? <PageSkeleton /> : <BrandPage brand={data} />}
    </>
  )
}

function valuesOf({ name, name_ar, colour }: Pick<Brand, 'name' | 'name_ar' | 'colour'>): Values {
  return { name, name_ar: name_ar ?? '', colour: colour ?? '' }
}

function BrandPage({ brand }: { brand: Brand }) {
  const draft = useDraft(brand, valuesOf)
  const [shown] = useDebouncedValue(draft.values, 300)
  return (
    <div className={classes.columns}>
      <Stack gap="lg">
        <LookForm draft={draft} />
        <LogoCard brand={brand} shape="square" />
        <LogoCard brand={brand} shape="wide" />
      </Stack>
      <Preview {...shown} logos={`${brand.logo?.url ?? ''} ${brand.wide_logo?.url ?? ''}`} />
    </div>
  )
}

/** Colours that many shops have; any other can be typed. */
const swatches = ['#0b6b4f', '#1d4ed8', '#7c3aed', '#be185d', '#b91c1c', '#c2410c', '#a16207', '#334155']

function LookForm({ draft }: { draft: Draft<Brand, Values> }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const { values, set } = draft
  const save = useSubmit({
    send: ({ version, values }: Edit<Values>) =>
      send('patch', brandPath, { params: { path: { merchantId } }, body: { version, ...values } }),
    done: (saved, sent) => {
      draft.settle(saved, sent.values)
      notifyDone(t('common.saved'))
    },
    stale: [brandPath, '/merchants/{merchantId}', '/session'],
  })
  return (
    <EditForm
      of={save}
      draft={draft}
      may_change={may('change_settings')}
      fields={[
        { name: 'name', label: t('settings.name_en') },
        { name: 'name_ar', label: t('settings.name_ar') },
        { name: 'colour', label: t('settings.colour') },
      ]}
    >
      <Card title={t('settings.look_title')}>
        <Stack gap="md">
          <TextInput
            label={t('settings.name_en')}
            dir="auto"
            maxLength={245}
            value={values.name}
            error={save.fieldError('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('settings.name_ar')}
            description={t('settings.name_ar_hint')}
            lang="ar"
            dir="rtl"
            maxLength={245}
            value={values.name_ar}
            error={save.fieldError('name_ar')}
            onChange={(event) => set({ name_ar: event.currentTarget.value })}
          />
          <ColorInput
            label={t('settings.colour')}
            description={t('settings.colour_hint')}
            dir="ltr"
            size="md"
            format="hex"
            withEyeDropper={false}
            swatches={swatches}
            placeholder={t('settings.colour_none')}
            value={values.colour}
            error={save.fieldError('colour')}
            onChange={(colour) => set({ colour })}
          />
        </Stack>
      </Card>
    </EditForm>
  )
}
