import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type CurrentMerchant, useOpenMerchant, useSession } from '../app/merchant.ts'
import { Icon } from '../parts/icon.tsx'
import { merchantPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './merchant-switch.module.css'

/** Names the open merchant, and leads to the others. */
export function MerchantSwitch() {
  const merchant = useOpenMerchant()
  return merchant === undefined ? null : <OpenMerchant merchant={merchant} />
}

function OpenMerchant({ merchant: { merchantId, name, standing } }: { merchant: CurrentMerchant }) {
  const { t } = useTexts()
  const { memberships } = useSession()
  return (
    <Menu width="target" position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className="visually-hidden">{t('frame.switch_merchant')}</span>
          <Initial name={name} />
          <span className={classes.words}>
            <span className={classes.name}>{name}</span>
            <span className={classes.role}>{t(`frame.role_${standing}`)}</span>
          </span>
          <Icon name="down" size={18} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {memberships.slice(0, 12).map((one) => (
          <Menu.Item
            key={one.merchant_id}
            component={Link}
            to={merchantPath(String(one.merchant_id), '')}
            rightSection={one.merchant_id === merchantId ? <Icon name="check" size={18} /> : null}
          >
            {one.merchant_name}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to="/" leftSection={<Icon name="store" size={18} />}>
          {t('frame.merchants')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The first letter of a name on a coloured tile. */
export function Initial({ name }: { name: string }) {
  return (
    <span className={classes.initial} aria-hidden="true">
      {[...name.trim()][0] ?? '·'}
    </span>
  )
}
