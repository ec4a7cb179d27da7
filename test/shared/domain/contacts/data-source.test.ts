import { describe, expect, it } from 'vitest';
import {
  changeDataSource,
  createDataSource,
  dataSourceView,
} from '../../../../shared/domain/contacts/data-source.ts';
import { timeIn } from '../../../../shared/domain/time.ts';

const aSource = () => createDataSource({ dataSourceName: ' x ' }, 'id', 1000);

describe('a data source', () => {
  it('begins with a trimmed name and no description', () => {
    expect(aSource()).toEqual({
      id: 'id',
      dataSourceName: 'x',
      dataSourceDesc: '',
      createTime: 1000,
      updateTime: null,
    });
  });

  it('changes only in what is supplied, and is otherwise as it was', () => {
    const before = { ...aSource(), dataSourceDesc: 'kept' };
    expect(changeDataSource(before, {}, 2000)).toEqual({ ...before, updateTime: 2000 });
    expect(changeDataSource(before, { dataSourceDesc: '' }, 2000)).toMatchObject({ dataSourceDesc: '' });
    expect(() => changeDataSource(before, { dataSourceName: ' ' }, 2000)).toThrow(
      'dataSourceName: must not be empty',
    );
  });

  it('shows null until it was changed', () => {
    const utc = timeIn('UTC');
    const unchanged = { contactCount: 5, changeTime: null };
    expect(dataSourceView(aSource(), unchanged, utc)).toMatchObject({ contactCount: 5, updateTime: null });
    const changed = changeDataSource(aSource(), {}, 2000);
    expect(dataSourceView(changed, unchanged, utc).updateTime).toBe('1970-01-01 00:00:02');
  });

  it('shows the later change: its own, or that of its contacts', () => {
    const changed = changeDataSource(aSource(), {}, 2000);
    for (const [changeTime, shown] of [
      [1000, '1970-01-01 00:00:02'],
      [3000, '1970-01-01 00:00:03'],
    ] as const)
      expect(dataSourceView(changed, { contactCount: 5, changeTime }, timeIn('UTC')).updateTime).toBe(shown);
  });
});
