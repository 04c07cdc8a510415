import { empty, Json, operation, param } from '../../platform/http/index.ts'
import { campaigns, seedOf } from './provider.ts'

const MAX_LOCALE_LENGTH = 35

const showCampaign = operation({
  method: 'GET',
  path: '/api/v1/donation_campaigns',
  auth: 'user',
  scopes: [],
  summary: 'Show the running campaign for donations, as its provider words it',
  params: {
    lang: param.string({ optional: true, max: MAX_LOCALE_LENGTH, description: 'instead of the locale of the caller' }),
  },
  returns: 'DonationCampaign',
  statuses: [200, 204],
  async handle({ lang }, context) {
    const { viewer, config } = context
    const campaign = await campaigns(context).find(seedOf(viewer.id), lang || viewer.locale || config.defaultLocale)
    return campaign === null ? empty(204) : new Json(campaign)
  },
})

export const operations = [showCampaign]
