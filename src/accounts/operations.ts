import { operations as accountLists } from './account_lists.ts'
import { operations as block } from './block.ts'
import { operations as endorse } from './endorse.ts'
import { operations as featuredTags } from './featured_tags.ts'
import { operations as follow } from './follow.ts'
import { operations as followRequests } from './follow_requests.ts'
import { operations as mute } from './mute.ts'
import { operations as read } from './read.ts'
import { listRelationships } from './relationship.ts'

/** Every operation on people. */
export const operations = [
  ...read,
  listRelationships,
  ...accountLists,
  ...featuredTags,
  ...follow,
  ...followRequests,
  ...block,
  ...mute,
  ...endorse,
]
