with days as (
    {{ dbt_utils.date_spine(
        datepart="day",
        start_date="cast('2019-01-01' as date)",
        end_date="date_add(current_date(), interval 1 year)"
    ) }}
)

select
    date(date_day) as day,
    extract(year from date_day) as year,
    format_date('%A', date_day) as weekday
from days
