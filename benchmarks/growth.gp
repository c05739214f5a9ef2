# Draws growth.png of growth.tsv (`bench growth`): gnuplot 5, in this directory.
# Both axes are logarithmic: a line of slope one is linear growth, a level one is none.
set terminal pngcairo size 1280,660 noenhanced font 'sans,9'
set output 'growth.png'
set datafile separator '\t'
set logscale xy
set grid
set format x '%.0s%c'
set format y '%.0s%c'
set yrange [*:*]
set offsets graph 0.05, graph 0.05, graph 0.1, graph 0.1
set key left top samplen 2
set style data linespoints
set pointsize 1.2
posts(x) = (column('writers') == 1000 ? x : NaN)
writers(x) = (column('posts') == 100000 ? x : NaN)

set multiplot layout 2,4
do for [over in "posts writers"] {
    set xlabel over
    at(x) = (over eq 'posts' ? posts(x) : writers(x))
    set title 'first sync: seconds'
    plot 'growth.tsv' using (at(column(over))):(column('wall_seconds')) notitle pointtype 7
    set title 'memory at most: MB'
    plot 'growth.tsv' using (at(column(over))):(column('receiver_peak_megabytes')) title 'receiver' pointtype 7, \
         'growth.tsv' using (at(column(over))):(column('sender_peak_megabytes')) title 'sender' pointtype 6
    set title 'first sync: bytes on the wire'
    plot 'growth.tsv' using (at(column(over))):(column('bytes_per_post') * column('posts')) notitle pointtype 7
    set title '100 new for who holds all of it: ms'
    plot 'growth.tsv' using (at(column(over))):(column('new_milliseconds')) title 'with a cursor' pointtype 7, \
         'growth.tsv' using (at(column(over))):(column('new_without_cursor_milliseconds')) title 'without a cursor' pointtype 6
}
unset multiplot
