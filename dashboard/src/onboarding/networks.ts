import { CLICK_IDS, type ClickIdName } from '../../../server/src/shared/click-ids.ts';
import { t } from '../languages/translate.ts';

/** An affiliate network that calls a postback URL. Its links carry the session hash, which it returns. */
export interface Network {
  name: string;
  /** The parameter of the network's link that carries the session hash. */
  linkParameter: string;
  clickMacro: string;
  valueMacro: string;
  /** A macro, or empty if the network has none. */
  currency: string;
  eventIdMacro: string;
}

export const NETWORKS: Record<string, Network> = {
  impact: {
    name: 'Impact',
    linkParameter: 'subId1',
    clickMacro: '{SubId1}',
    valueMacro: '{Amount}',
    currency: '{Currency}',
    eventIdMacro: '{ActionId}',
  },
  awin: {
    name: 'Awin',
    linkParameter: 'clickref',
    clickMacro: '!!!clickRef!!!',
    valueMacro: '!!!transactionAmount!!!',
    currency: '!!!transactionCurrency!!!',
    eventIdMacro: '!!!transactionId!!!',
  },
  clickbank: {
    name: 'ClickBank',
    linkParameter: 'tid',
    clickMacro: '{tid}',
    valueMacro: '{amount}',
    currency: '{currency}',
    eventIdMacro: '{order_id}',
  },
  tune: {
    name: 'TUNE (HasOffers)',
    linkParameter: 'aff_sub',
    clickMacro: '{aff_sub}',
    valueMacro: '{payout}',
    currency: '{currency}',
    eventIdMacro: '{transaction_id}',
  },
};

/** How the click IDs of ad platforms get into the URL of a landing page. */
const SETUPS: Partial<Record<ClickIdName, string>> = {
  gclid: t('Automatic, with auto-tagging'),
  fbclid: t('Automatic'),
  msclkid: t('Automatic, with auto-tagging'),
  ttclid: t('Automatic, or ttclid=__CLICKID__'),
  tblci: 'tblci={click_id}',
  ob_click_id: 'ob_click_id={{ob_click_id}}',
};

export const AD_PLATFORMS = Object.entries(SETUPS).map(([clickId, setup]) => ({
  name: CLICK_IDS[clickId as ClickIdName].platform,
  clickId,
  setup,
}));
