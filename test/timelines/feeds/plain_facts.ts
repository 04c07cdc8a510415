import type { FeedFacts } from '../../../src/timelines/feeds/rules.ts'

/** Of a public post that boosts, answers, mentions and tags nothing. */
export const PLAIN: FeedFacts = {
  visibility: 'public',
  domain: null,
  silenced: false,
  language: 'en',
  reblog_of_id: null,
  reblog_account_id: null,
  reblog_domain: null,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  mentions: [],
  silent_mentions: [],
  tags: [],
  reblog_mentions: [],
}
