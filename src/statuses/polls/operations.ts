import { showPoll } from './show_poll.ts'
import { vote } from './vote.ts'

export const operations = [showPoll, vote]
