import assert from 'node:assert/strict'
import { test } from 'tap'
import { admitHome, admitList, createPost, type FeedFacts, type Post } from '../../../src/timelines/feeds/rules.ts'
import type { FollowOptions, ListRelations, Relations } from '../../../src/accounts/relationships/index.ts'
import { PLAIN } from './plain_facts.ts'

/**
 * The rules of home feeds and lists. F (1) owns the feed; A (2) posts; S (3) has no relationship
 * with F; M (4) is followed.
 */

const [F, A, S, M, O] = ['1', '2', '3', '4', '5'] as const
const NOW = 1_000_000

const USUAL: FollowOptions = { reblogs: true, notify: false, languages: null }

interface Input {
  follows?: Record<string, Partial<FollowOptions>>
  tags?: string[]
  blocks?: string[]
  blockedBy?: string[]
  mutes?: Record<string, number>
  domains?: string[]
  exclusive?: string[]
}

function relationsOf(given: Input): Relations {
  const follows = given.follows ?? { [A]: {}, [M]: {} }
  return {
    owner: F,
    follows: new Map(Object.entries(follows).map(([id, options]) => [id, { ...USUAL, ...options }])),
    tags: new Map((given.tags ?? []).map((name, index) => [name, String(index + 1)])),
    blocks: new Set(given.blocks),
    blockedBy: new Set(given.blockedBy),
    mutes: new Map(Object.entries(given.mutes ?? {})),
    domains: new Set(given.domains),
    lists: new Map(),
    exclusive: new Set(given.exclusive),
    groupsBoosts: true,
    followTimes: Buffer.alloc(0),
    tagsFollowedMs: new Map(),
    newestFollowMs: 0,
  }
}

const BOOST = { language: null, reblog_of_id: '90', reblog_account_id: O }
const response = (account: string): Partial<FeedFacts> => ({ in_reply_to_id: '91', in_reply_to_account_id: account })
const postOf = (facts: Partial<FeedFacts>, author: string = A): Post =>
  createPost('100', author, { ...PLAIN, ...facts })

type Case = [
  name: string,
  facts: Partial<FeedFacts>,
  given: Input,
  admitted: 'own' | 'follow' | 'tag' | undefined,
  author?: string,
]

const ALL_AGAINST: Input = { blocks: [F], mutes: { [F]: Infinity }, exclusive: [F], follows: {} }

const HOME: Case[] = [
  ['own status', {}, ALL_AGAINST, 'own', F],
  ['own direct status to nobody', { visibility: 'direct' }, {}, 'own', F],
  ['own reply to a stranger', response(S), {}, 'own', F],
  ['own boost', BOOST, {}, 'own', F],
  ['public', {}, {}, 'follow'],
  ['unlisted', { visibility: 'unlisted' }, {}, 'follow'],
  ['private', { visibility: 'private' }, {}, 'follow'],
  ['direct to others', { visibility: 'direct', mentions: [S] }, {}, undefined],
  ['direct to F', { visibility: 'direct', mentions: [F] }, {}, 'follow'],
  ['direct to F by a stranger', { visibility: 'direct', mentions: [F] }, {}, undefined, S],
  ['limited, F in the audience', { visibility: 'limited', silent_mentions: [F] }, {}, 'follow'],
  ['limited, F not in the audience', { visibility: 'limited', silent_mentions: [S] }, {}, undefined],
  ['of a stranger', {}, {}, undefined, S],
  ['silenced A: followers still get the posts', { silenced: true }, {}, 'follow'],
  ['row 1: answer to something deleted', { in_reply_to_account_id: M }, {}, undefined],
  ['row 2: A on an exclusive list', {}, { exclusive: [A] }, undefined],
  ['row 2: boost by A on an exclusive list', BOOST, { exclusive: [A] }, undefined],
  ['row 3: another language', { language: 'en' }, { follows: { [A]: { languages: ['de'] } } }, undefined],
  ['row 3: a chosen language', { language: 'de' }, { follows: { [A]: { languages: ['de'] } } }, 'follow'],
  ['row 3: no language', { language: null }, { follows: { [A]: { languages: ['de'] } } }, 'follow'],
  ['row 3: boosts pass', BOOST, { follows: { [A]: { languages: ['de'] } } }, 'follow'],
  ['row 4: boost of something unavailable', { ...BOOST, reblog_account_id: null }, {}, undefined],
  ['row 5: F blocks A', {}, { blocks: [A] }, undefined],
  ['row 5: F mutes A', {}, { mutes: { [A]: Infinity } }, undefined],
  ['row 5: a mute that is over', {}, { mutes: { [A]: NOW } }, 'follow'],
  ['row 5: a mute that is not over', {}, { mutes: { [A]: NOW + 1 } }, undefined],
  ['row 5: mentions somebody blocked', { mentions: [S] }, { blocks: [S] }, undefined],
  ['row 5: mentions somebody muted', { mentions: [S] }, { mutes: { [S]: Infinity } }, undefined],
  ['row 5: silent mentions do not count', { silent_mentions: [S] }, { blocks: [S] }, 'follow'],
  ['row 5: boost of somebody blocked', BOOST, { blocks: [O] }, undefined],
  ['row 5: boost of somebody muted', BOOST, { mutes: { [O]: Infinity } }, undefined],
  [
    'row 5: boost of what mentions somebody muted',
    { ...BOOST, reblog_mentions: [S] },
    { mutes: { [S]: Infinity } },
    undefined,
  ],
  ['row 6: A blocks F', {}, { blockedBy: [A] }, undefined],
  ['row 7: answer to somebody followed', response(M), {}, 'follow'],
  ['row 7: answer to F', response(F), {}, 'follow'],
  ['row 7: answer to itself', response(A), {}, 'follow'],
  ['row 7: answer to a stranger', response(S), {}, undefined],
  ['row 8: F hides boosts by A', BOOST, { follows: { [A]: { reblogs: false } } }, undefined],
  ['row 8: only boosts are hidden', {}, { follows: { [A]: { reblogs: false } } }, 'follow'],
  ['row 8: O blocks F', BOOST, { blockedBy: [O] }, undefined],
  ['row 8: F blocks the domain of O', { ...BOOST, reblog_domain: 'x.example' }, { domains: ['x.example'] }, undefined],
  ['row 9: boost of a stranger', BOOST, {}, 'follow'],
  ['mention of a stranger', { mentions: [S] }, {}, 'follow'],
  ['tag: of a stranger', { tags: ['tea'] }, { tags: ['tea'] }, 'tag', S],
  ['tag: another one', { tags: ['coffee'] }, { tags: ['tea'] }, undefined, S],
  ['tag: unlisted', { tags: ['tea'], visibility: 'unlisted' }, { tags: ['tea'] }, undefined, S],
  ['tag: silenced author', { tags: ['tea'], silenced: true }, { tags: ['tea'] }, undefined, S],
  ['tag: a reply to anybody', { tags: ['tea'], ...response(M) }, { tags: ['tea'], follows: {} }, 'tag', S],
  ['tag: skips row 1', { tags: ['tea'], in_reply_to_account_id: M }, { tags: ['tea'] }, 'tag'],
  ['tag: skips row 2', { tags: ['tea'] }, { tags: ['tea'], exclusive: [A] }, 'tag'],
  ['tag: skips row 3', { tags: ['tea'] }, { tags: ['tea'], follows: { [A]: { languages: ['de'] } } }, 'tag'],
  ['tag: skips row 7', { tags: ['tea'], ...response(S) }, { tags: ['tea'] }, 'tag'],
  ['tag: blocked author', { tags: ['tea'] }, { tags: ['tea'], blocks: [S] }, undefined, S],
  ['tag: muted author', { tags: ['tea'] }, { tags: ['tea'], mutes: { [S]: Infinity } }, undefined, S],
  [
    'tag: mentions somebody muted',
    { tags: ['tea'], mentions: [O] },
    { tags: ['tea'], mutes: { [O]: Infinity } },
    undefined,
    S,
  ],
  ['tag: author blocks F', { tags: ['tea'] }, { tags: ['tea'], blockedBy: [S] }, undefined, S],
  [
    'tag: blocked domain',
    { tags: ['tea'], domain: 'x.example' },
    { tags: ['tea'], domains: ['x.example'] },
    undefined,
    S,
  ],
]

for (const [name, facts, given, admitted, author] of HOME) {
  test(`home: ${name}`, async () => {
    assert.equal(admitHome(postOf(facts, author), relationsOf(given), NOW), admitted)
  })
}

type ListCase = [
  name: string,
  facts: Partial<FeedFacts>,
  given: Input,
  list: Partial<ListRelations>,
  admitted: boolean,
  author?: string,
]

const LISTS: ListCase[] = [
  ['member', {}, {}, {}, true],
  ['unlisted', { visibility: 'unlisted' }, {}, {}, true],
  ['private', { visibility: 'private' }, {}, {}, true],
  ['direct, also to the owner', { visibility: 'direct', mentions: [F] }, {}, {}, false],
  ['limited', { visibility: 'limited', silent_mentions: [F] }, {}, {}, false],
  ['no member', {}, {}, {}, false, M],
  ['the owner as a member', {}, {}, { members: new Set([F]) }, true, F],
  ['boost by the owner as a member', BOOST, {}, { members: new Set([F]) }, true, F],
  ['row 2 is skipped', {}, { exclusive: [A] }, { exclusive: true }, true],
  ['row 1', { in_reply_to_account_id: F }, {}, {}, false],
  ['row 3', {}, { follows: { [A]: { languages: ['de'] } } }, {}, false],
  ['row 4', { ...BOOST, reblog_account_id: null }, {}, {}, false],
  ['row 5', { mentions: [S] }, { mutes: { [S]: Infinity } }, {}, false],
  ['row 6', {}, { blockedBy: [A] }, {}, false],
  ['row 8: hidden boosts', BOOST, { follows: { [A]: { reblogs: false } } }, {}, false],
  ['boost', BOOST, {}, {}, true],
  ['list: member answers member', response(O), {}, { members: new Set([A, O]) }, true],
  ['list: member answers somebody followed', response(M), {}, {}, false],
  ['list: member answers owner', response(F), {}, {}, true],
  ['list: member answers itself', response(A), {}, {}, true],
  ['followed: member answers somebody followed', response(M), {}, { repliesPolicy: 'followed' }, true],
  ['followed: member answers a stranger', response(S), {}, { repliesPolicy: 'followed' }, false],
  ['followed: member answers owner', response(F), {}, { repliesPolicy: 'followed' }, true],
  ['none: member answers owner', response(F), {}, { repliesPolicy: 'none' }, true],
  ['none: member answers member', response(O), {}, { repliesPolicy: 'none', members: new Set([A, O]) }, false],
  ['none: member answers itself', response(A), {}, { repliesPolicy: 'none' }, true],
]

for (const [name, facts, given, list, admitted, author] of LISTS) {
  test(`list: ${name}`, async () => {
    const whole: ListRelations = { id: '7', repliesPolicy: 'list', exclusive: false, members: new Set([A]), ...list }
    assert.equal(admitList(postOf(facts, author), whole, relationsOf(given), NOW), admitted)
  })
}
