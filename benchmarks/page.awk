# Puts what was measured into a page: between `<!-- begin FILE -->` and `<!-- end -->` stands what FILE holds.
# usage: awk -v from=DIRECTORY -f page.awk PAGE > NEW_PAGE
/^<!-- begin .* -->$/ {
    print; print ""
    file = from "/" $3
    while ((getline line < file) > 0) print line
    close(file)
    print ""
    skipping = 1
}
/^<!-- end -->$/ { skipping = 0 }
!skipping && !/^<!-- begin .* -->$/ { print }
