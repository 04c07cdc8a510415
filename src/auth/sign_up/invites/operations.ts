import { deactivateInvite, makeInvite, showInvites } from './manage.ts'

export const operations = [showInvites, makeInvite, deactivateInvite]
