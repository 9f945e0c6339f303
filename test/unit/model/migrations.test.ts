import { expect, test } from 'vitest'
import { inRunningOrder } from '../../../src/model/migrations.ts'

test('versions run by their numbers, repeatable migrations last, undo scripts not at all', () => {
  const names = ['R__views.sql', 'U1.10__c.sql', 'V1.10__c.sql', 'V1.9__b.sql', 'V1__a.sql', 'V2_1__e.sql', 'V2__d.sql']
  expect(inRunningOrder(names.map((name) => `db/${name}`))).toEqual(
    ['V1__a.sql', 'V1.9__b.sql', 'V1.10__c.sql', 'V2__d.sql', 'V2_1__e.sql', 'R__views.sql'].map(
      (name) => `db/${name}`,
    ),
  )
})

test('other files keep their places, and folders without versions their order', () => {
  const paths = ['a/R__x.sql', 'a/U1__y.sql', 'b/V10__z.sql', 'b/V9__w.sql', 'b/seed.sql']
  expect(inRunningOrder(paths)).toEqual(['a/R__x.sql', 'a/U1__y.sql', 'b/V9__w.sql', 'b/V10__z.sql', 'b/seed.sql'])
})
