import { operations as domainRules } from '../administration/domain_rules/operations.ts'
import { operations as emailBlocks } from '../administration/email_blocks/operations.ts'
import { operations as ipBlocks } from '../administration/ip_blocks/operations.ts'
import { operations as tags } from '../administration/tags/operations.ts'
import { operations as trends } from '../administration/trends/operations.ts'

/** The admin API's lists of rules, hashtags and trends. */
export const adminLists = [...domainRules, ...emailBlocks, ...ipBlocks, ...tags, ...trends]
